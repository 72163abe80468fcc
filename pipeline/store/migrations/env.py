"""The script of Alembic: it runs the migrations, over the connection that the store has opened."""

from alembic import context


def migrate() -> None:
    """Run the migrations."""
    context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
    context.run_migrations()


if __name__ == "env_py":  # as Alembic loads it; anybody else only reads it
    migrate()
