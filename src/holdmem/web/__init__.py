"""The web table: a person plays any agent in the browser, and sees what made it act."""
