"""Exact best responses, and training against them, on graphics cards: CUDA C and the programs that run it.

The folder can be copied to a machine that has nothing but numpy and CuPy. `responder.py` with
`exact_response.cu` computes responses, `training.py` trains.
"""
