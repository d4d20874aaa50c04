import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { gatewayWorld } from '../support/world.ts'

const LONG = 'x'.repeat(40_000)
const maxHeaderSize = 100_000

it('passes long headers on, both ways', async () => {
  const provider = createServer({ maxHeaderSize }, ({ headers }, response) => {
    response.writeHead(200, { 'x-answer': `answer to ${headers['x-long']}` }).end()
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void provider.close())
  const { url } = await gatewayWorld(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`)

  const answer = await new Promise((resolve, reject) => {
    request(`${url}/v1/models`, { maxHeaderSize, headers: { 'x-long': LONG } }, (response) => {
      response.resume()
      resolve(response.headers['x-answer'])
    })
      .on('error', reject)
      .end()
  })

  expect(answer).toBe(`answer to ${LONG}`)
})
