#!/usr/bin/env python3
"""Draws the colours that mean directions of grain, for docs/tutorials/paint-friction.md.

    scripts/draw_grain_wheel.py docs/images/grain_wheel.png

Needs Pillow.
"""
import math
import sys

from PIL import Image, ImageDraw, ImageFont

SIZE, MIDDLE, OUTER, INNER = (560, 420), (280, 210), 150, 38


def colour(angle):
    """Of the grain at an angle to the right, counterclockwise, rad."""
    return tuple(round(127.5 * (1 + c)) for c in (math.cos(angle), math.sin(angle))) + (0,)


def at(angle, radius):
    return MIDDLE[0] + radius * math.cos(angle), MIDDLE[1] - radius * math.sin(angle)


def main(path):
    scale = 3  # drawn large and made smaller, for smooth edges
    image = Image.new("RGB", (SIZE[0] * scale, SIZE[1] * scale), "white")
    for row in range(image.height):
        for column in range(image.width):
            x, y = column / scale - MIDDLE[0], MIDDLE[1] - row / scale
            if x * x + y * y <= OUTER * OUTER:
                inside = x * x + y * y <= INNER * INNER
                image.putpixel((column, row), (128, 128, 128) if inside else colour(math.atan2(y, x)))
    image = image.resize(SIZE, Image.LANCZOS)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default()
    for k in range(16):
        angle = math.pi / 8 * k
        draw.line([at(angle, 85), at(angle, 115)], fill="black", width=3)
        if k % 2 == 0:
            words, (x, y) = "%d, %d, %d" % colour(angle), at(angle, OUTER + 34)
            box = draw.textbbox((0, 0), words, font=font)
            draw.text((x - (box[0] + box[2]) / 2, y - (box[1] + box[3]) / 2), words, fill="black", font=font)
    draw.text((MIDDLE[0] - 13, MIDDLE[1] - 6), "none", fill="black", font=font)
    image.quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1])
