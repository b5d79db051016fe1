"""The Auto Agent Protocol on the wire: schemas, errors, versions, skills, manifest, client."""
