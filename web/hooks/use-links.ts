import { useEffect, useState } from 'preact/hooks'
import type { WireLink, WireNewLink } from '../../src/contract/routes/link-routes.ts'
import { sessionPath } from '../api/api-client.ts'
import { useApp } from './app-context.ts'

/** The read-only links to a session, and the ways to make and end one. */
export type SessionLinks = {
  /** Undefined until they are loaded. */
  readonly links: readonly WireLink[] | undefined
  /** The address of the link that was just made: its secret is shown only now. */
  readonly made: string | undefined
  readonly make: (hours: number) => Promise<void>
  readonly end: (link: string) => Promise<void>
}

export function useLinks(id: string): SessionLinks {
  const { client, notify } = useApp()
  const [links, setLinks] = useState<readonly WireLink[]>()
  const [made, setMade] = useState<string>()
  const path = sessionPath(id, '/links')

  async function load(): Promise<void> {
    const answer = await client.ask<{ links: WireLink[] }>(path)
    if (answer.ok) setLinks(answer.value.links)
    else notify(answer.message, 'error')
  }

  useEffect(() => void load(), [client, path])

  return {
    links,
    made,
    make: async (hours) => {
      const answer = await client.ask<WireNewLink>(path, { method: 'POST', body: { hours } })
      if (!answer.ok) return notify(answer.message, 'error')
      setMade(`${location.origin}${answer.value.path}`)
      await load()
    },
    end: async (link) => {
      const answer = await client.ask(`${path}/${encodeURIComponent(link)}`, { method: 'DELETE' })
      if (!answer.ok) return notify(answer.message, 'error')
      notify('The link shows nothing any more')
      setMade(undefined)
      await load()
    },
  }
}
