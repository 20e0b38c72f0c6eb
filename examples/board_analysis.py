"""Look at the board of a game as a networkx graph: which sites are central?

python examples/board_analysis.py [GAME]
"""

import sys

import networkx as nx

import ludeme


def main(name: str = "constello") -> None:
    """Print some measures of the board of a game."""
    board = ludeme.load(name).board
    graph = board.graph
    print(f"{name}: {graph.number_of_nodes()} sites, {graph.number_of_edges()} edges")
    print(f"  connected: {nx.is_connected(graph)}, distance at most {nx.diameter(graph)}")

    relations: dict[str, int] = {}
    for _, _, relation in graph.edges(data="relation"):
        relations[relation] = relations.get(relation, 0) + 1
    print("  edges:", ", ".join(f"{count} {name}" for name, count in relations.items()))

    # How many shortest ways between other sites lead through a site, as a share of all.
    betweenness = nx.betweenness_centrality(graph)
    best = sorted(betweenness, key=lambda site: -round(betweenness[site], 9))[:5]
    print("  most central:", ", ".join(f"{site} {betweenness[site]:.3f}" for site in best))
    print("  cut points:", ", ".join(sorted(nx.articulation_points(graph))) or "none")


if __name__ == "__main__":
    main(*sys.argv[1:2])
