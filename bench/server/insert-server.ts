/**
 * The least that a server of appends can do: `node insert-server.ts URL` answers each request with one prepared INSERT of its body.
 * It prints its address. The load benchmark compares `pith serve` with it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2] })
const INSERT = { name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2, $3)' }
let count = 0
const server = createServer(async (request, response) => {
  const { messages } = JSON.parse(await text(request))
  const seq = process.pid * 1e9 + count++
  await pool.query({ ...INSERT, values: [request.url, seq, JSON.stringify(messages)] })
  const body = JSON.stringify({ seqs: [seq] })
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
