"""From the files of a workspace to passages that can be found and cited."""
