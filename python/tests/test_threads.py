"""Threads: the library's own, and Python's."""

import os
import signal
import threading

import numpy as np
import pytest
from conftest import falling_boxes

import capstan


def endless(**options):
    """Nothing reaches this tolerance: it takes as long as it is given."""
    return capstan.sample("wall_8").solve(solver="gs", tolerance=1e-300, max_iterations=10**9, **options)


def test_threads_do_not_change_a_bit():
    problem = capstan.sample("rods_1000")  # large enough for several
    one, two, all_cores = (problem.solve(threads=threads) for threads in (1, 2, 0))
    assert one.converged
    np.testing.assert_array_equal(one.r, two.r)
    np.testing.assert_array_equal(one.r, all_cores.r)
    np.testing.assert_array_equal(one.v, two.v)
    assert one.certificate.natural_map_error == two.certificate.natural_map_error


@pytest.mark.parametrize(
    "work", [lambda: endless(time_limit=0.4), lambda: capstan.solve_batch(*falling_boxes(8000), 0.5)]
)
def test_python_goes_on_during_a_solve(work):
    counted = 0
    over = threading.Event()

    def count():
        nonlocal counted
        while not over.is_set():
            counted += 1

    counting = threading.Thread(target=count)
    counting.start()
    before = counted
    work()
    progress = counted - before
    over.set()
    counting.join()
    # Python changes threads every 5 ms: with the lock held there would be a few turns at most.
    assert progress > 1000


def test_solves_of_several_python_threads_do_not_disturb_each_other():
    problem = capstan.sample("rods_1000")
    expected = problem.solve().r
    answers = [None] * 3

    def work(k):
        answers[k] = problem.solve().r

    workers = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for answer in answers:
        np.testing.assert_array_equal(answer, expected)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize(
    "work",
    [
        lambda: endless(time_limit=60),
        lambda: capstan.solve_batch([capstan.sample("wall_8")] * 4, tolerance=1e-300),
    ],
)
def test_ctrl_c_stops_a_solve(work):
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # programs in the background have it ignored
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
