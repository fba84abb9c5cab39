"""Slow and obvious twins of the compiled kernels, written from the rules and not from the kernels.

`index` says which twin each kernel module is compared with, and in which test.
"""
