# A loop as people write it, put_object and get_object, in as many threads as
# there are to be clients. The job is JSON on stdin, what came of it on stdout.
import json
import os
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.config import Config

job = json.load(sys.stdin)
size, clients = job["size"], job["clients"]
s3 = boto3.client(
    "s3",
    endpoint_url=job["endpoint"],
    region_name=job["region"],
    aws_access_key_id=job["access"],
    aws_secret_access_key=job["secret"],
    config=Config(max_pool_connections=clients, retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
)
where = {"Bucket": job["bucket"]}
numbers = iter(range(job["most"]))  # to be taken from by all threads: next() is atomic
block = 1 << 20  # of Garage's: none may be there already


def put(body):
    n = next(numbers, None)
    if n is None:
        return False
    for at in range(0, size, block):
        body[at : at + 16] = os.urandom(16)
    s3.put_object(**where, Key=f"{job['prefix']}{n:08d}", Body=body)
    return True


def get(_):
    key = f"{job['prefix']}{random.randrange(job['objects']):08d}"
    if len(s3.get_object(**where, Key=key)["Body"].read()) != size:
        raise ValueError(key + ": not what was written")
    return True


one = {"PUT": put, "GET": get}[job["op"]]
# Data are made, and connections too, before the clock starts.
ready = threading.Barrier(clients + 1)
go = threading.Barrier(clients + 1)


def client():
    body = bytearray(os.urandom(size))
    s3.head_bucket(**where)
    ready.wait()
    go.wait()
    done = 0
    while time.monotonic() < until and one(body):
        done += 1
    return done


with ThreadPoolExecutor(clients) as pool:
    all_clients = [pool.submit(client) for _ in range(clients)]
    ready.wait(60)
    began, cpu = time.monotonic(), time.process_time()
    until = began + job["seconds"]
    go.wait(60)
    ops = sum(c.result() for c in all_clients)
    print(json.dumps({"ops": ops, "wall": time.monotonic() - began, "cpu": time.process_time() - cpu}))
