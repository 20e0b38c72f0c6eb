"""A comparison for a program to read."""

from __future__ import annotations

from typing import Any

from ludeme.lab import course, words
from ludeme.lab.compare import Comparison, Finding, Versus
from ludeme.lab.figures import as_dict, balance, gates, lengths, tree_size
from ludeme.lab.games import Games


def export(comparison: Comparison) -> dict[str, Any]:
    """All figures and findings, ready for JSON; what nothing is known of is None."""
    question = comparison.question
    return {
        "games": comparison.games,
        "observed": min(question.observed, comparison.games),
        "seed": question.seed,
        "turn_limit": question.turn_limit,
        "players": list(question.seats or ("random",)),
        "evaluator": question.evaluator or None,
        "precision": question.precision,
        "looks": [look.games for look in comparison.taken],
        "precision_not_reached": list(comparison.unknown),
        "warnings": words.warnings(comparison),
        "variants": [_variant(comparison, index) for index in range(len(comparison.variants))],
        "comparisons": [_versus(comparison, versus) for versus in comparison.versus],
        "tests": comparison.asked,
    }


def _variant(comparison: Comparison, index: int) -> dict[str, Any]:
    variant, samples = comparison.variants[index], comparison.samples[index]
    rows, details = comparison.tables[index].rows, comparison.tables[index].details
    observed = details if details is not None and len(details) else None
    return {
        "label": variant.label,
        "game": rows.setting.game,
        "digest": rows.setting.digest,
        "options": dict(rows.setting.options),
        "players": list(rows.setting.players),
        "gates": [{"key": gate.key, "words": gate.words} for gate in gates(samples)],
        "figures": {key: as_dict(sample) for key, sample in samples.items()},
        "lengths": lengths(rows),
        "balance": balance(samples, len(rows.setting.players)),
        "tree_size": tree_size(samples),
        "course": _course(observed) if observed is not None else None,
        "heat": _heat(observed) if observed is not None else None,
    }


def _course(details: Games) -> dict[str, Any]:
    """The mean number of legal moves at each decision, and over how many games."""
    found = course.branching(details)
    return {
        "decision": (found.at + 1).tolist(),
        "legal_moves": found.mean.tolist(),
        "games": found.games.tolist(),
    }


def _heat(details: Games) -> list[dict[str, Any]]:
    """The share of states in which each site was held, by owner and, where told apart, kind."""
    sites = details.setting.sites
    return [
        {
            "owner": found.owner,
            "kind": found.kind or None,
            "sites": dict(zip(sites, found.share.tolist(), strict=True)),
        }
        for found in course.heat(details)
    ]


def _versus(comparison: Comparison, versus: Versus) -> dict[str, Any]:
    return {
        "base": comparison.variants[versus.base].label,
        "other": comparison.variants[versus.other].label,
        "summary": words.summary(comparison, versus),
        "same_meaning": versus.same_meaning,
        "alike": versus.alike,
        "correlation": versus.correlation,
        "paired": versus.paired,
        "turned": versus.turned,
        "rules": list(versus.rules),
        "findings": [_finding(finding) for finding in versus.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    found = finding.contrast
    return {
        "key": found.measure.key,
        "title": found.measure.title,
        "unit": found.measure.unit,
        "over": found.measure.over,
        "base": found.base,
        "other": found.other,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "p_alone": found.p,
        "p": finding.p,
        "verdict": finding.verdict,
        "words": words.shown(finding),
        "effect": words.finite(found.effect),
        "effect_name": found.effect_name,
        "method": found.method,
        "needed_games": finding.needed,
        "detectable": finding.detectable,
    }
