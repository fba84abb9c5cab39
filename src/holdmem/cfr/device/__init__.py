"""The exact best response on graphics cards: kernels in CUDA C and the program that runs them.

`responder.py` and `exact_response.cu` can be copied to a machine that has nothing but numpy and CuPy.
"""
