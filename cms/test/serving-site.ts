import { referenceSite } from '../../conformance/site.ts'

/** The site that `serving.ts` starts in processes of their own. */
export const site = referenceSite(process.env)
