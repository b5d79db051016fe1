"""`python -m forecourt` is the command line, for where the `forecourt` script is not on the path."""

from forecourt.cli.main import main

if __name__ == "__main__":
    main()
