rootProject.name = "dicechess-native"

dependencyResolutionManagement {
    repositories {
        mavenCentral()
    }
}
