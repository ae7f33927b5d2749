// Prisma's program names it when it starts, and uses it for commands that nothing here calls.
module.exports = {}
