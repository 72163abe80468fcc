"""The routes of the page: those of every module in `routes`."""

from importlib import import_module
from pkgutil import iter_modules

from fastapi import APIRouter

from pipeline.surfaces.http.page import routes

PAGES: tuple[APIRouter, ...] = tuple(
    import_module(f"{routes.__name__}.{module.name}").router for module in iter_modules(routes.__path__)
)
