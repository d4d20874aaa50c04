/** The workspace and the home of the commands in these tables. */
export const PLACE = { workspace: '/home/me/work/shop', home: '/home/me' }
