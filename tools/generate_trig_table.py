#!/usr/bin/env python3
"""Writes the correctly rounded sine and tangent of every whole hundredth of a degree in the first
quadrant as IEEE-754 bits: `generate_trig_table.py OUT`. Standard library only; 50 decimal digits
decide every rounding."""
import struct
import sys
from decimal import Decimal, getcontext

getcontext().prec = 50


def pi():
    """Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""
    def atan_inverse(n):
        total, term, k = Decimal(0), Decimal(1) / n, 0
        while abs(term) > Decimal(10) ** -55:
            total += term / (2 * k + 1) * (-1) ** k
            term /= n * n
            k += 1
        return total
    return 16 * atan_inverse(5) - 4 * atan_inverse(239)


def sine(x):
    total, term, k = Decimal(0), x, 1
    while abs(term) > Decimal(10) ** -55:
        total += term
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def bits(value):
    # float() of a Decimal's text is correctly rounded.
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def main():
    step = pi() / 18000
    sines = [sine(step * i) for i in range(9001)]
    sines[0], sines[3000], sines[9000] = Decimal(0), Decimal("0.5"), Decimal(1)
    tangents = [sines[i] / sines[9000 - i] for i in range(9000)]
    tangents[4500] = Decimal(1)
    with open(sys.argv[1], "w", encoding="ascii") as out:
        for name, values in (("kSinBits", sines), ("kTanBits", tangents)):
            out.write(f"constexpr std::array<std::uint64_t, {len(values)}> {name} = {{\n")
            for i in range(0, len(values), 4):
                row = ", ".join(f"0x{bits(v):016X}ULL" for v in values[i:i + 4])
                out.write(f"    {row},\n")
            out.write("};\n")


main()
