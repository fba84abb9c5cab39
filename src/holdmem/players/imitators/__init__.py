"""Expert imitators, their ensembles and bandits over them (Rubin and Watson 2011)."""
