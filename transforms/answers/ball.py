"""Arithmetic with proven error bounds: exact fractions where they stay small, else discs in the complex plane.

A disc holds the true value for certain (midpoint-radius arithmetic, with `mpmath` for the midpoints, whose elementary
functions are right to within a few units in the last place; far more is allowed for here). So two values whose discs
do not meet are different. Functions and powers have their principal values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from mpmath import MPContext  # type: ignore[import-untyped]

# Beyond these a value is not worth its cost: bits of a fraction, the power of two of an exponent's size.
_MOST_BITS = 20_000
_LARGEST_EXPONENT_BITS = 16
_LARGEST_ANGLE_BITS = 32
_MOST_MULTIPLICATIONS = 2_000
# Guard bits: what the midpoint of one operation may be off by.
_SLACK_BITS = 16


class UndefinedError(Exception):
    """No value here that can be vouched for: a pole, a branch cut, or larger than worth computing."""


@dataclass(frozen=True, slots=True)
class Ball:
    """A disc. Its midpoint is an `mpf` only where the value is known to be real."""

    middle: Any
    radius: Any

    @property
    def is_real(self) -> bool:
        """Whether the value is known to be real."""
        return not hasattr(self.middle, "_mpc_")


Value = Fraction | Ball


class BallArithmetic:
    """The operations, at a working precision in bits."""

    def __init__(self, bits: int) -> None:
        self.context = MPContext()
        self.context.prec = bits
        self._slack = self.context.ldexp(1, _SLACK_BITS - bits)

    def ball(self, value: Value) -> Ball:
        """A value as a disc."""
        if isinstance(value, Ball):
            return value
        middle = self.context.mpf(value.numerator) / value.denominator
        return self._disc(middle, self.context.zero)

    def _disc(self, middle: Any, radius: Any) -> Ball:
        return Ball(middle, (radius + abs(middle) * self._slack) * (1 + self._slack))

    def constant(self, name: str) -> Ball:
        """One of "pi", "e", "i"."""
        if name == "i":
            return Ball(self.context.mpc(0, 1), self.context.zero)
        return self._disc(+(self.context.pi if name == "pi" else self.context.e), self.context.zero)

    def point(self, real: Fraction, imaginary: Fraction) -> Ball:
        """The complex number real + imaginary·i."""
        parts = (self.ball(real), self.ball(imaginary))
        return Ball(self.context.mpc(parts[0].middle, parts[1].middle), parts[0].radius + parts[1].radius)

    def add(self, first: Value, second: Value) -> Value:
        """first + second"""
        if isinstance(first, Fraction) and isinstance(second, Fraction):
            return self._small(first + second)
        a, b = self.ball(first), self.ball(second)
        return self._disc(a.middle + b.middle, a.radius + b.radius)

    def multiply(self, first: Value, second: Value) -> Value:
        """first · second"""
        if isinstance(first, Fraction) and isinstance(second, Fraction):
            return self._small(first * second)
        if 0 in (first, second):
            return Fraction(0)
        a, b = self.ball(first), self.ball(second)
        radius = abs(a.middle) * b.radius + abs(b.middle) * a.radius + a.radius * b.radius
        return self._disc(a.middle * b.middle, radius)

    def _small(self, value: Fraction) -> Value:
        bits = value.numerator.bit_length() + value.denominator.bit_length()
        return value if bits <= _MOST_BITS else self.ball(value)

    def inverse(self, value: Value) -> Value:
        """1 / value"""
        if isinstance(value, Fraction):
            if value == 0:
                raise UndefinedError("a pole")
            return 1 / value
        least = self._least(value)
        return self._disc(1 / value.middle, value.radius / (abs(value.middle) * least))

    def _least(self, ball: Ball) -> Any:
        """The least absolute value in a disc, which must not hold zero."""
        least = abs(ball.middle) * (1 - self._slack) - ball.radius
        if least <= 0:
            raise UndefinedError("a disc holds zero")
        return least

    def power(self, base: Value, exponent: Value) -> Value:
        """The principal value of base^exponent."""
        if isinstance(exponent, Fraction):
            if exponent.denominator == 1 and abs(exponent) <= _MOST_MULTIPLICATIONS:
                return self._whole_power(base, int(exponent))
            if exponent.denominator == 2 and abs(exponent) <= _MOST_MULTIPLICATIONS:
                return self._whole_power(self.root(base), exponent.numerator)
        if base == 0:
            if isinstance(exponent, Fraction) and exponent > 0:
                return Fraction(0)
            raise UndefinedError("a power of zero")
        return self.exp(self.multiply(exponent, self.log(base)))

    def _whole_power(self, base: Value, exponent: int) -> Value:
        if exponent < 0:
            return self.inverse(self._whole_power(base, -exponent))
        if exponent == 0:
            self._least(self.ball(base))
            return Fraction(1)
        if isinstance(base, Fraction):
            bits = base.numerator.bit_length() + base.denominator.bit_length()
            if bits * exponent <= _MOST_BITS:
                return base**exponent
        result: Value = Fraction(1)
        square = base
        while exponent:
            if exponent & 1:
                result = self.multiply(result, square)
            exponent >>= 1
            if exponent:
                square = self.multiply(square, square)
        return result

    def root(self, value: Value) -> Value:
        """The principal square root."""
        if isinstance(value, Fraction):
            over, under = isqrt(abs(value.numerator)), isqrt(value.denominator)
            if value >= 0 and over * over == value.numerator and under * under == value.denominator:
                return Fraction(over, under)
        ball = self.ball(value)
        size = abs(ball.middle)
        if ball.radius >= size * (1 - self._slack):
            return self._disc(self.context.mpc(0), self.context.sqrt((size + ball.radius) * (1 + self._slack)))
        self._off_the_cut(ball)
        middle = self.context.sqrt(ball.middle)
        return self._disc(middle, ball.radius / (2 * self.context.sqrt(self._least(ball))))

    def _off_the_cut(self, ball: Ball) -> None:
        """Refuse a disc that may reach across the negative real axis; a real one lies on it or does not."""
        if ball.is_real:
            return
        if ball.middle.real <= ball.radius and abs(ball.middle.imag) <= ball.radius:
            raise UndefinedError("a branch cut")

    def log(self, value: Value) -> Value:
        """The principal natural logarithm."""
        if value == 1:
            return Fraction(0)
        ball = self.ball(value)
        least = self._least(ball)
        self._off_the_cut(ball)
        return self._disc(self.context.log(ball.middle), ball.radius / least + self._slack)

    def exp(self, value: Value) -> Value:
        """e^value"""
        if value == 0:
            return Fraction(1)
        ball = self._bounded(value, _LARGEST_EXPONENT_BITS)
        middle = self.context.exp(ball.middle)
        return self._disc(middle, abs(middle) * (1 + self._slack) * self.context.expm1(ball.radius))

    def _bounded(self, value: Value, bits: int) -> Ball:
        ball = self.ball(value)
        if abs(ball.middle) > 2**bits or ball.radius > 1:
            raise UndefinedError("too large, or known too poorly")
        return ball

    def sin(self, value: Value) -> Value:
        """The sine."""
        return Fraction(0) if value == 0 else self._circular(self.context.sin, value)

    def cos(self, value: Value) -> Value:
        """The cosine."""
        return Fraction(1) if value == 0 else self._circular(self.context.cos, value)

    def _circular(self, function: Callable[[Any], Any], value: Value) -> Ball:
        ball = self._bounded(value, _LARGEST_ANGLE_BITS)
        height = abs(ball.middle.imag) + ball.radius
        if height > 2**_LARGEST_EXPONENT_BITS:
            raise UndefinedError("too large")
        middle = function(ball.middle)
        # |sin z|, |cos z| ≤ cosh(Im z); the midpoint may be far smaller than the parts it is formed from.
        steepest = self.context.cosh(height)
        return self._disc(middle, steepest * (ball.radius + self._slack))

    def absolute(self, value: Value) -> Value:
        """|value|"""
        if isinstance(value, Fraction):
            return abs(value)
        return self._disc(abs(value.middle), value.radius)

    def sign(self, value: Value) -> Value:
        """1 or -1, for a value that is known to be real and not zero."""
        if isinstance(value, Ball):
            self._least(value)
        if value == 0 or (isinstance(value, Ball) and not value.is_real):
            raise UndefinedError("no sign")
        return Fraction(1 if (value if isinstance(value, Fraction) else value.middle) > 0 else -1)

    def atan(self, value: Value) -> Value:
        """The principal inverse tangent."""
        ball = self.ball(value)
        if ball.is_real:
            return self._disc(self.context.atan(ball.middle), ball.radius + self._slack)
        turned = self.multiply(self.constant("i"), ball)
        upper, lower = (self.log(self.add(Fraction(1), self.multiply(sign, turned))) for sign in (-ONE, ONE))
        half_i = self.multiply(Fraction(1, 2), self.constant("i"))
        return self.multiply(half_i, self.add(upper, self.multiply(-ONE, lower)))

    def asin(self, value: Value) -> Value:
        """The principal inverse sine: -i·log(i·z + sqrt(1 - z²))."""
        if value in (ONE, -ONE):
            return self.multiply(value, self.multiply(Fraction(1, 2), self.constant("pi")))
        ball = self.ball(value)
        furthest = abs(ball.middle) + ball.radius
        if ball.is_real and furthest < 1:
            steepest = 1 / self.context.sqrt(1 - furthest**2)
            return self._disc(self.context.asin(ball.middle), (ball.radius + self._slack) * steepest)
        i = self.constant("i")
        cosine = self.root(self.add(ONE, self.multiply(-ONE, self.multiply(value, value))))
        return self.multiply(self.multiply(-ONE, i), self.log(self.add(self.multiply(i, value), cosine)))

    def acos(self, value: Value) -> Value:
        """The principal inverse cosine."""
        right = self.multiply(Fraction(1, 2), self.constant("pi"))
        return self.add(right, self.multiply(-ONE, self.asin(value)))

    def apart(self, difference: Value) -> bool:
        """Whether a value is certainly not zero."""
        if isinstance(difference, Fraction):
            return difference != 0
        return bool(abs(difference.middle) * (1 - self._slack) > difference.radius)

    def tight(self, difference: Value, bits: int) -> bool:
        """Whether a value is certainly less than 2^-bits in size."""
        if isinstance(difference, Fraction):
            return difference == 0
        return bool(abs(difference.middle) + difference.radius < self.context.ldexp(1, -bits))


ONE = Fraction(1)
