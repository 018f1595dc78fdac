from __future__ import annotations

from fractions import Fraction

import pytest

from transforms.answers.ball import Ball, BallArithmetic, UndefinedError, Value

F = Fraction


@pytest.fixture
def at() -> BallArithmetic:
    return BallArithmetic(128)


def close(at: BallArithmetic, value: Value, real: float, imaginary: float = 0.0) -> bool:
    ball = at.ball(value)
    return bool(abs(ball.middle - at.context.mpc(real, imaginary)) < 1e-12 and ball.radius < 1e-25)


def test_fractions_stay_exact(at: BallArithmetic) -> None:
    assert at.add(F(1, 3), F(1, 6)) == F(1, 2)
    assert at.multiply(F(2, 3), F(3, 2)) == F(1)
    assert at.inverse(F(-2, 3)) == F(-3, 2)
    assert at.power(F(2, 3), F(-3)) == F(27, 8)
    assert at.power(F(9, 4), F(1, 2)) == F(3, 2)
    assert at.power(F(9, 4), F(-3, 2)) == F(8, 27)
    assert at.absolute(F(-5)) == F(5)
    assert at.sign(F(-5)) == F(-1)
    assert [at.exp(F(0)), at.cos(F(0)), at.sin(F(0)), at.log(F(1))] == [1, 1, 0, 0]


def test_large_fractions_become_discs(at: BallArithmetic) -> None:
    assert isinstance(at.power(F(3), F(2000)), Fraction)
    assert isinstance(at.power(F(3**100), F(2000)), Ball)


def test_principal_values(at: BallArithmetic) -> None:
    assert close(at, at.power(F(-8), F(1, 3)), 1.0, 3**0.5)
    assert close(at, at.root(F(-4)), 0.0, 2.0)
    assert close(at, at.log(F(-1)), 0.0, 3.141592653589793)
    assert close(at, at.power(at.constant("i"), at.constant("i")), 0.20787957635076193)
    assert close(at, at.exp(at.multiply(at.constant("i"), at.constant("pi"))), -1.0)


@pytest.mark.parametrize(
    ("function", "argument", "real", "imaginary"),
    [
        ("exp", F(1), 2.718281828459045, 0.0),
        ("log", F(2), 0.6931471805599453, 0.0),
        ("sin", F(1), 0.8414709848078965, 0.0),
        ("cos", F(1), 0.5403023058681398, 0.0),
        ("atan", F(1), 0.7853981633974483, 0.0),
        ("asin", F(1, 2), 0.5235987755982989, 0.0),
        ("acos", F(1, 2), 1.0471975511965979, 0.0),
        ("acos", F(-1), 3.141592653589793, 0.0),
        ("asin", F(2), 1.5707963267948966, -1.3169578969248166),
    ],
)
def test_functions(at: BallArithmetic, function: str, argument: Fraction, real: float, imaginary: float) -> None:
    assert close(at, getattr(at, function)(argument), real, imaginary)


def test_inverse_functions_undo_theirs_off_the_axis(at: BallArithmetic) -> None:
    z = at.point(F(3, 7), F(2, 9))
    assert at.tight(at.add(at.sin(at.asin(z)), at.multiply(F(-1), z)), 80)
    assert at.tight(at.add(at.cos(at.acos(z)), at.multiply(F(-1), z)), 80)
    tangent = at.multiply(at.sin(at.atan(z)), at.inverse(at.cos(at.atan(z))))
    assert at.tight(at.add(tangent, at.multiply(F(-1), z)), 80)


def test_what_has_no_value(at: BallArithmetic) -> None:
    pi = at.constant("pi")
    nothing = at.add(pi, at.multiply(F(-1), pi))  # zero, but that cannot be seen
    for value in (F(0), nothing):
        for function in (at.inverse, at.log, at.sign):
            with pytest.raises(UndefinedError):
                function(value)
        with pytest.raises(UndefinedError):
            at.power(value, F(-1))
        with pytest.raises(UndefinedError):
            at.power(value, F(0))
    with pytest.raises(UndefinedError):
        at.power(F(0), pi)
    assert at.power(F(0), F(1, 3)) == 0


def test_discs_across_a_branch_cut_have_no_value(at: BallArithmetic) -> None:
    minus_one = at.multiply(at.constant("i"), at.constant("i"))  # as far as can be seen, perhaps just below the axis
    for function in (at.log, at.root):
        with pytest.raises(UndefinedError):
            function(minus_one)
    assert close(at, at.root(at.multiply(F(-1), at.constant("pi"))), 0.0, 1.7724538509055159)


@pytest.mark.parametrize("function", ["exp", "sin", "cos"])
def test_values_too_large_to_be_worth_it(at: BallArithmetic, function: str) -> None:
    for argument in (F(10) ** 30, at.exp(F(60000)), at.multiply(at.constant("i"), F(10) ** 30)):
        with pytest.raises(UndefinedError):
            getattr(at, function)(argument)


def test_a_root_of_what_may_be_zero(at: BallArithmetic) -> None:
    pi = at.constant("pi")
    nothing = at.add(pi, at.multiply(F(-1), pi))
    root = at.root(nothing)
    assert not at.apart(root)
    assert at.tight(root, 40)


def test_a_large_term_hides_no_difference(at: BallArithmetic) -> None:
    huge = at.exp(F(300))
    with_x = at.add(at.add(huge, at.sin(F(1))), at.multiply(F(-1), huge))
    difference = at.add(with_x, at.multiply(F(-1), at.sin(F(1))))
    assert not at.apart(difference)  # the digits of x are lost, and the disc says so
    assert not at.tight(difference, 64)
    finer = BallArithmetic(1024)
    huge = finer.exp(F(300))
    with_x = finer.add(finer.add(huge, finer.sin(F(1))), finer.multiply(F(-1), huge))
    assert finer.tight(finer.add(with_x, finer.multiply(F(-1), finer.sin(F(1)))), 400)


def test_zero_and_not_zero(at: BallArithmetic) -> None:
    assert (at.apart(F(0)), at.tight(F(0), 64)) == (False, True)
    assert (at.apart(F(1, 10**50)), at.tight(F(1, 10**50), 64)) == (True, False)
    tiny = at.exp(F(-200))
    assert (at.apart(tiny), at.tight(tiny, 64)) == (True, True)


def test_realness_is_kept_where_it_is_known(at: BallArithmetic) -> None:
    pi = at.constant("pi")
    assert at.ball(at.sin(pi)).is_real
    assert at.ball(at.root(pi)).is_real
    assert not at.ball(at.root(at.multiply(F(-1), pi))).is_real
    assert at.ball(at.absolute(at.constant("i"))).is_real
    with pytest.raises(UndefinedError):
        at.sign(at.constant("i"))
