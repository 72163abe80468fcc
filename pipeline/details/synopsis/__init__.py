"""Synopses: short texts, made by code, that let an agent decide whether to read a large text."""
