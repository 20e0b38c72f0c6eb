"""Laws that every game obeys, over states that random play reaches."""
