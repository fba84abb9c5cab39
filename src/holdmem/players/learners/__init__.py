"""The Outcome Learner and the Action Learner (Marques n.d.), which learn values while they play."""
