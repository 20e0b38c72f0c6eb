"""The native back end: a checked program compiled to machine code by LLVM."""
