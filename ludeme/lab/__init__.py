"""The rule lab: what random games say of a description, and whether a change of rules shows."""
