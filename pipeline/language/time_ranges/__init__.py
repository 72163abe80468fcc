"""The time that a text speaks of, in English, Polish and Chinese, as days counted from the day it was said."""
