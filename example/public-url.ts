/**
 * The public URL of the magazine, if it is set: `LANTERN_URL=https://lantern.example npm start`. Its sitemap and its
 * feeds hold whole addresses, and are there only then.
 */
export const publicUrl = process.env.LANTERN_URL
