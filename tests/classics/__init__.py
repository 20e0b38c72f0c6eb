"""The library of known games against what others say of them."""
