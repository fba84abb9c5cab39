"""The wire: the protocol of the Annual Computer Poker Competition (version 2.0.0), both ends of it."""
