"""The process that serves: uvicorn with deadlines and limits of our own."""
