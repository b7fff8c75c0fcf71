"""The app that `iosq explore` opens in a browser; its panels use the public interface."""
