"""Chama: a savings group that collects from its members and pays for them. Start with payments.py."""
