/** The header that gives a login to a browser, or takes it away: no script reads it, no other site makes it be sent. */
export function loginCookie(request: Request, secret: string, expires: string): string {
  const secure = request.headers.get('origin')?.startsWith('https://') === true ? '; Secure' : ''
  const until = new Date(expires).toUTCString()
  return `${cookieName(hostIn(request))}=${secret}; Path=/; HttpOnly; SameSite=Strict; Expires=${until}${secure}`
}

/** The login that a browser sends. A page of another origin on this machine is the same site: its requests do not count. */
export function loginIn(request: Request): string | undefined {
  const from = request.headers.get('sec-fetch-site')
  if (from !== null && from !== 'same-origin' && from !== 'none') return undefined
  const name = cookieName(hostIn(request))
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name) return value
  }
  return undefined
}

/** Whether a page of this server sent the request. A browser says so with every request that may change something. */
export function isOwnOrigin(request: Request): boolean {
  const origin = request.headers.get('origin')
  return origin !== null && URL.canParse(origin) && new URL(origin).host.toLowerCase() === hostIn(request)
}

/** The name of the cookie. Browsers do not tell ports apart, so that two servers of a machine need two names. */
function cookieName(host: string): string {
  return `pith_login_${/:(\d+)$/.exec(host)?.[1] ?? ''}`
}

function hostIn(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
}
