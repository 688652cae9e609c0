"""The same scenes in several engines and by Pinocchio's solver, judged by the same certificate.

bench/peers/run does everything; docs/benchmarks/peers.md has what it found.
"""
