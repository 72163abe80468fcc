"""The front of a fleet: HTTP for any number of workspaces, each below `/w/NAME/`, and the page of the operator."""
