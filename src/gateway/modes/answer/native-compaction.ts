import type { Upstream } from '../../upstream/upstream.ts'

/** True for a provider that makes compaction items itself: those can be read without Pith, so they are left to it. */
export function compactsNatively({ url }: Upstream): boolean {
  return NATIVE.test(url.hostname)
}

const NATIVE = /^(?:api\.openai\.com|chatgpt\.com|.*\.openai\.azure\.com)$/
