import S3rver from 's3rver'

// `node bench/kills-bucket.ts FOLDER PORT`: an S3 server with one bucket, in a process that can be killed.

const [directory = '', port] = process.argv.slice(2)
const options = { address: '127.0.0.1', port: Number(port), silent: true, directory, vhostBuckets: false }
await new S3rver({ ...options, configureBuckets: [{ name: 'files' }] }).run()
console.log('ready')
process.on('disconnect', () => process.exit())
