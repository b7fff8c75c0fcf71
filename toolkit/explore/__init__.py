"""The app that `iosq explore` opens in a browser: panels over the public interface, and the app that shows them."""
