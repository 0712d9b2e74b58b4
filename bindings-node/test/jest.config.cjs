module.exports = { testMatch: ['<rootDir>/*.jest.cjs'], setupFilesAfterEnv: ['tooltest/jest'], testTimeout: 180_000 }
