"""Print a graph file as a `board sites` block, to be put into a description.

    python examples/board_from_graph.py FILE.graphml
    python examples/board_from_graph.py FILE.json

FILE is GraphML, or node-link JSON as networkx writes it. Nodes become sites, in their order in the
file; a node attribute `label` or `name` is used for the name of the site, else the node's own name.
An edge attribute `relation` becomes the relation. Coordinates `x` and `y`, if all nodes have them,
are scaled so that they are whole numbers and no two sites fall together.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx


def read(path: Path) -> nx.Graph:
    """The graph in a file, undirected and without edges from a node to itself."""
    if path.suffix == ".json":
        data = json.loads(path.read_text(encoding="utf-8"))
        edges = "edges" if "edges" in data else "links"
        graph = nx.node_link_graph(data, edges=edges)
    else:
        graph = nx.read_graphml(path)
    graph = nx.Graph(graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def names_of(graph: nx.Graph) -> dict[object, str]:
    """A name for each node that the language accepts, no two the same."""
    names: dict[object, str] = {}
    for node, data in graph.nodes(data=True):
        text = re.sub(r"\W", "_", str(data.get("label") or data.get("name") or node))
        if not re.match(r"[^\W\d]", text):
            text = f"s{text}"
        name, number = text, 2
        while name in names.values():
            name, number = f"{text}_{number}", number + 1
        names[node] = name
    return names


def places_of(graph: nx.Graph) -> dict[object, tuple[int, int]]:
    """Whole coordinates of all nodes; empty if one has none."""
    points = {}
    for node, data in graph.nodes(data=True):
        try:
            points[node] = (float(data["x"]), float(data["y"]))
        except (KeyError, TypeError, ValueError):
            return {}
    for scale in (1, 2, 5, 10, 20, 50, 100, 1000):
        places = {node: (round(x * scale), round(y * scale)) for node, (x, y) in points.items()}
        if len(set(places.values())) == len(places):
            return places
    return {}


def block(graph: nx.Graph) -> Iterator[str]:
    """The lines of the block."""
    names, places = names_of(graph), places_of(graph)
    yield "board sites"
    for node, name in names.items():
        yield f"  {name} at {places[node][0]}, {places[node][1]}" if places else f"  {name}"
    for one, other, data in graph.edges(data=True):
        relation = re.sub(r"\W", "_", str(data.get("relation", "")))
        yield f"  {names[one]} - {names[other]}" + (f": {relation}" if relation else "")


def main() -> None:
    """Print the block of the file that is named on the command line."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print("\n".join(block(read(Path(sys.argv[1])))))


if __name__ == "__main__":
    main()
