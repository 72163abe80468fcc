"""What an entry rests on: whose words it quotes, what holds of it, what a text says of it."""
