import { expect, it } from 'vitest'
import { serve } from '../../src/server/serve.ts'
import { serverWorld } from './support/world.ts'

it('a server listens on a free port until it is stopped, and says when a port is taken', async () => {
  const { services, models } = await serverWorld()
  const options = { ...services, models, host: '127.0.0.1', port: 0 }
  const running = await serve(options)
  expect(await (await fetch(`${running.url}/health`)).json()).toEqual({ status: 'ok' })
  const port = Number(new URL(running.url).port)
  await expect(serve({ ...options, port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port} (something else listens there): choose another with --port`,
  )
  await Promise.all([running.stop(), running.stop()])
  await expect(fetch(`${running.url}/health`)).rejects.toThrow()
})
