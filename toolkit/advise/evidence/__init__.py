"""What is known about the subjects of rules: questions that several rules ask, and their answers."""
