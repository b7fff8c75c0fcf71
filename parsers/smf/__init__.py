"""SMF dumps: framing, record layouts (data), two decoders and an encoder made from the same layouts."""
