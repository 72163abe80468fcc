"""What people take back, forget or move. Each is a use case of its own."""
