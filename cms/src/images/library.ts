import createSharp from 'sharp'

/** The library that processes images, with its version. */
export const imageLibrary = `sharp ${createSharp.versions.sharp} (libvips ${createSharp.versions.vips})`
