import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compactSessionRoute } from '../../../src/contract/routes/compact-routes.ts'
import { listModelsRoute } from '../../../src/contract/routes/context-routes.ts'
import { listSessionsRoute } from '../../../src/contract/routes/session-routes.ts'
import { whoamiRoute } from '../../../src/contract/routes/system-routes.ts'
import type { WireEvent } from '../../../src/contract/shapes/wire-events.ts'
import { RemoteClient } from '../../../src/tui/remote/remote-client.ts'

/** A client of a server that answers every request with this text. */
async function clientOf(text: string, status = 200): Promise<{ client: RemoteClient; paths: string[] }> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { client: new RemoteClient({ url: `http://127.0.0.1:${port}`, token: 'secret' }), paths }
}

const token = { name: 'me', owner: 'me', access: 'write', workspaces: [], version: '9' }

describe('the client of a server', () => {
  it('takes words and fields of a newer server', async () => {
    const { client } = await clientOf(JSON.stringify({ ...token, access: 'admin', more: 1 }))
    expect(await client.ask(whoamiRoute, {})).toMatchObject({ name: 'me', access: 'admin' })
  })

  it('leaves out events that it does not know, and reads those that it knows', async () => {
    const progress = '{"session_id":"s","step":"polish","rung":"mask"}'
    const { client } = await clientOf(
      `event: toString\ndata: {}\n\nevent: later\ndata: {"a":1}\n\nid: 7\r\nevent: compaction.progress\r\ndata: ${progress}\r\n\r\n`,
    )
    const events: WireEvent[] = []
    for await (const event of client.events(compactSessionRoute, { params: { id: 's' } })) events.push(event)
    expect(events).toEqual([{ event: 'compaction.progress', id: 7, data: JSON.parse(progress) }])
  })

  it('says in one line that an answer has another shape', async () => {
    const { client } = await clientOf('{"models":[{"name":7}]}')
    await expect(client.ask(listModelsRoute, {})).rejects.toThrow(
      /^the server at \S+ sent an answer that this version cannot read \(models\.0\.name must be a text, not a number\): update the older one of the two$/,
    )
  })

  it('says in one line that something else answers', async () => {
    const { client } = await clientOf('<html>Welcome</html>')
    await expect(client.ask(listModelsRoute, {})).rejects.toThrow(
      /^the program at \S+ is not a Pith server: check the address$/,
    )
  })

  it('says why a request was refused', async () => {
    const { client } = await clientOf('{"error":{"code":"busy","message":"a turn is running"}}', 409)
    await expect(client.ask(listModelsRoute, {})).rejects.toThrow('a turn is running')
  })

  it('fills in the path and the query of a route', async () => {
    const { client, paths } = await clientOf('{"sessions":[]}')
    await client.ask(listSessionsRoute, { query: { limit: 5, q: undefined } })
    await client.text(compactSessionRoute, { params: { id: 'a/b' } })
    expect(paths).toEqual(['/v1/sessions?limit=5', '/v1/sessions/a%2Fb/compact'])
  })
})
