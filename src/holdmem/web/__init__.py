"""The web table: play against any agent in the browser and see the reasons for its actions."""
